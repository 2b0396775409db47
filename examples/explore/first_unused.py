#!/usr/bin/env python3
"""A strategy in ten lines: the event that was chosen least often so far.
norn explore --device sim:notes --strategy 'exec:python3 examples/explore/first_unused.py'"""
import collections, json, sys

used = collections.Counter()
for line in sys.stdin:                                 # one line: screen, possible events, coverage
    possible = json.loads(line)["possible"]
    names = [json.dumps(event, sort_keys=True) for event in possible]
    best = min(range(len(names)), key=lambda i: used[names[i]])
    used[names[best]] += 1
    print(json.dumps(possible[best]), flush=True)      # one line: the event (or its number)
