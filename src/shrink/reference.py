#!/usr/bin/env python3
"""The list reducers once more, as short and as plainly as they can be said: what shrink_test.cc compares with.

Reads problems, one a line, on stdin:   ALGO STATES CLAUSES PAIRS LOCAL
  STATES   the state in which each thing is received: 0,0,1,2
  CLAUSES  bit masks; a candidate needs all of at least one
  PAIRS    a:b;c:d   with a kept, b must be kept too ("-": none)
  LOCAL    0..5: how often of five a local check works
Writes for each the questions that were run, in order, and the result:   a1f r03:2 ... = 5
("a": does it still do it, "r": does it reach that state; sets as hex bit masks, a set asked before is not run again)
"""
import sys


class Asker:
    def __init__(self, clauses, pairs, local):
        self.clauses, self.pairs, self.local, self.known, self.log = clauses, pairs, local, {}, []

    def once(self, word, answer):
        if word not in self.known:
            self.log.append(word)
            self.known[word] = answer()
        return self.known[word]

    def crash(self, things):
        kept = frozenset(things)
        return self.once("a%x" % mask(kept), lambda: any(c <= kept for c in self.clauses)
                         and all(a not in kept or b in kept for a, b in self.pairs))

    def reaches(self, things, state):
        return self.once("r%x:%d" % (mask(things), state),
                         lambda: (sum(things) + 3 * state + len(things)) % 5 < self.local)


def mask(things):
    return sum(1 << t for t in things)


def minus(whole, part):
    return [x for x in whole if x not in part]


def equal_parts(things, n):
    return [things[i * len(things) // n:(i + 1) * len(things) // n] for i in range(n)]


def dd(states, ask, things=None, n=2):
    things = list(range(len(states))) if things is None else things
    if len(things) < 2:
        return things
    parts = equal_parts(things, n)
    for part in parts:
        if ask.crash(part):
            return dd(states, ask, part, 2)
    for part in parts:
        if ask.crash(minus(things, part)):
            return dd(states, ask, minus(things, part), max(n - 1, 2))
    return dd(states, ask, things, min(2 * n, len(things))) if n < len(things) else things


class Tree:
    def __init__(self, states):
        self.up, self.kids = {}, {None: []}
        for i, state in enumerate(states):
            at = i - 1 if i else None
            while at is not None and states[at] != state:
                at = self.up[at]
            parent = self.up[at] if at is not None else (i - 1 if i else None)
            self.up[i] = parent
            self.kids[i] = []
            self.kids[parent].append(i)

    def below(self, node):
        return [node] + [x for kid in self.kids[node] for x in self.below(kid)]

    def depth(self, node):
        return 0 if node is None else 1 + self.depth(self.up[node])


def balanced_parts(nodes, weight, n):
    total, parts = sum(map(weight, nodes)), [[]]
    for i, node in enumerate(nodes):
        parts[-1].append(node)
        still_to_come = n - len(parts)
        enough = sum(map(weight, parts[-1])) >= total / n or len(nodes) - i - 1 == still_to_come
        if still_to_come and enough:
            parts.append([])
    return parts


def in_level(nodes, cut, works, n=2):
    if len(nodes) < 2:
        return nodes
    parts = cut(nodes, n)
    if works(parts[-1]):
        return in_level(parts[-1], cut, works, 2)
    for part in reversed(parts[:-1]):
        if works(minus(nodes, part)):
            return in_level(minus(nodes, part), cut, works, max(n - 1, 2))
    return in_level(nodes, cut, works, min(2 * n, len(nodes))) if n < len(nodes) else nodes


def hdd(states, ask, balanced=False):
    tree, kept, parents = Tree(states), [], [None]
    weight = lambda node: len(tree.below(node))
    cut = (lambda nodes, n: balanced_parts(nodes, weight, n)) if balanced else equal_parts
    while level := [kid for p in parents for kid in tree.kids[p]]:
        parents = in_level(level, cut, lambda ns: ask.crash(kept + [e for x in ns for e in tree.below(x)]))
        kept = sorted(kept + parents)
    return kept


def bhdd(states, ask):
    return hdd(states, ask, True)


def lhdd(states, ask, preselect=True):
    tree, kept, parents, depth, seen = Tree(states), [], [None], 0, []
    crash_depth = tree.depth(len(states) - 1)
    weight = lambda node: len(tree.below(node))
    balanced = lambda nodes, n: balanced_parts(nodes, weight, n)

    while level := [kid for p in parents for kid in tree.kids[p]]:
        depth += 1
        last = level[-1]

        def crashes(nodes):
            events = sorted(kept + [e for x in nodes for e in tree.below(x)])
            if ask.crash(events):
                seen.append(events)
                return True
            return False

        def arrives(nodes):
            events = kept + [e for x in nodes for e in ([x] if x == last else tree.below(x))]
            return ask.reaches(sorted(events), states[tree.kids[last][0]])

        def select(works, whole):
            size = 1
            while size < len(level):
                if works(level[-size:]):
                    return level[-size:]
                size *= 2
            return level if not whole or works(level) else None

        own = lambda nodes, n: balanced_parts(nodes, lambda x: 1 if x == last else weight(x), n)
        if depth < crash_depth:
            chosen = select(arrives, True) if preselect else level
            parents = in_level(chosen, own, arrives) if chosen else in_level(level, balanced, crashes)
        elif depth == crash_depth and preselect:
            parents = in_level(select(crashes, False), balanced, crashes)
        else:
            parents = in_level(level, balanced, crashes)
        kept = sorted(kept + parents)
    everything = list(range(len(states)))
    if kept == (seen or [everything])[-1] or ask.crash(kept):
        return kept
    other = bhdd(states, ask)
    return min([everything] + seen[-1:] + [other], key=len)


def lhdd_nopre(states, ask):
    return lhdd(states, ask, False)


def probdd(states, ask):
    needed = {i: 0.1 for i in range(len(states))}
    while any(p < 1 for p in needed.values()):
        order = sorted((i for i in needed if needed[i] < 1), key=lambda i: needed[i])
        none_of = [1.0]
        for i in order:
            none_of.append(none_of[-1] * (1 - needed[i]))
        gains = [k * chance for k, chance in enumerate(none_of)]
        size = max(k for k, gain in enumerate(gains) if gain >= max(gains) * (1 - 1e-9))
        out = order[:size]
        if ask.crash(minus(needed, out)):
            needed = {i: p for i, p in needed.items() if i not in out}
            continue
        for i in out:
            raised = needed[i] / (1 - none_of[size])
            needed[i] = 1 if raised > 1 - 1e-9 else raised
    return list(needed)


def cdd(states, ask):
    things, p, size = list(range(len(states))), 0.1, 0
    while size != 1:
        gains = [k * (1 - p) ** k for k in range(100)]
        size = max(k for k, gain in enumerate(gains) if gain >= max(gains) * (1 - 1e-9)) or 1
        for part in [things[i:i + size] for i in range(0, len(things), size)]:
            if ask.crash(minus(things, part)):
                things = minus(things, part)
        p = min(1, p / (1 - (1 - p) ** size))
    return things


ALGORITHMS = {"dd": dd, "hdd": hdd, "bhdd": bhdd, "lhdd": lhdd, "lhdd-nopre": lhdd_nopre, "probdd": probdd, "cdd": cdd}


def main():
    for line in sys.stdin:
        name, states, clauses, pairs, local = line.split()
        clauses = [{i for i in range(64) if int(c, 16) >> i & 1} for c in clauses.split(",")]
        pairs = [] if pairs == "-" else [tuple(map(int, p.split(":"))) for p in pairs.split(";")]
        ask = Asker(clauses, pairs, int(local))
        result = ALGORITHMS[name](list(map(int, states.split(","))), ask)
        print(" ".join(ask.log + ["=", "%x" % mask(result)]))


if __name__ == "__main__":
    main()
