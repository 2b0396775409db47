#!/usr/bin/env python3
"""A device that takes real time: SECONDS (first argument) an event, no meter of its own. A dial of eleven positions that three
buttons turn (+1, +2, times 2); it breaks at position 7 after an even number of touches. No snapshots."""
import json, sys, time

seconds, position, touches, crash = float(sys.argv[1]), 0, 0, None

def screen():
    def widget(cls, name, top, text, flags):
        return {"depth": 1, "class": "android.widget." + cls, "id": "org.example.dial:id/" + name, "text": text,
                "package": "org.example.dial", "bounds": [0, top, 1080, top + 100], "flags": flags + ["enabled", "visible"]}
    return {"package": "org.example.dial", "activity": "Main", "width": 1080, "height": 1920, "widgets": [
        {"class": "android.widget.FrameLayout", "package": "org.example.dial", "bounds": [0, 0, 1080, 1920]},
        widget("TextView", "position", 0, str(position), []),
        *[widget("Button", "turn" + str(i), i * 100, "turn", ["clickable"]) for i in (1, 2, 3)]]}

def answer(request):
    global position, touches, crash
    call = request["call"]
    if call == "info":
        return {"version": 1, "width": 1080, "height": 1920, "app": {"name": "org.example.dial", "version": "1"}}
    if call == "start":
        time.sleep(seconds)
        position, touches, crash = 0, 0, None
    elif call == "perform":
        time.sleep(seconds)
        action = request["action"]
        if action["kind"] == "touch" and 100 <= action["y"] < 400:
            position = (position + 1, position + 2, position * 2)[action["y"] // 100 - 1] % 11
            touches += 1
            if position == 7 and touches % 2 == 0:
                crash = {"chain": [{"type": "dial.Broken", "frames": [["Dial.turn", "dial.py", 1]]}]}
    elif call == "observe":
        seen, crash = {"screen": screen(), **({"crash": crash} if crash else {})}, None
        return seen
    return {}

for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "ok": answer(request)}), flush=True)
