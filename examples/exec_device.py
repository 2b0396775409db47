#!/usr/bin/env python3
"""A device for `exec:python3 examples/exec_device.py`: a lamp with a switch that breaks at the third touch."""
import copy, json, sys

state, saved, meter, crash = {"on": False, "touches": 0}, {}, 0.0, None

def screen():
    def widget(cls, name, top, text, flags):
        return {"depth": 1, "class": "android.widget." + cls, "id": "org.example.lamp:id/" + name, "text": text,
                "package": "org.example.lamp", "bounds": [0, top, 1080, top + 100], "flags": flags + ["enabled", "visible"]}
    return {"package": "org.example.lamp", "activity": "Main", "width": 1080, "height": 1920, "widgets": [
        {"class": "android.widget.FrameLayout", "package": "org.example.lamp", "bounds": [0, 0, 1080, 1920]},
        widget("TextView", "state", 100, "on" if state["on"] else "off", []),
        widget("Button", "switch", 200, "Switch", ["clickable"])]}

def answer(request):
    global state, meter, crash
    call = request["call"]
    if call == "info":
        return {"version": 1, "width": 1080, "height": 1920, "snapshots": True, "virtual_time": True,
                "app": {"name": "org.example.lamp", "version": "1"}}
    if call == "start":
        state, crash, meter = {"on": False, "touches": 0}, None, meter + 5
    elif call == "perform":
        action, meter = request["action"], meter + 0.65
        if action["kind"] == "touch" and 200 <= action["y"] < 300:
            state = {"on": not state["on"], "touches": state["touches"] + 1}
            if state["touches"] == 3:
                crash = {"chain": [{"type": "lamp.Broken", "frames": [["Lamp.flip", "lamp.py", 1]]}]}
    elif call == "observe":
        seen, crash = {"screen": screen(), **({"crash": crash} if crash else {})}, None
        return seen
    elif call == "save":
        saved[name := str(len(saved))] = copy.deepcopy(state)
        return {"snapshot": name}
    elif call == "restore":
        state, crash = copy.deepcopy(saved[request["snapshot"]]), None
    return {}

for line in sys.stdin:
    request = json.loads(line)
    ok = answer(request)
    print(json.dumps({"id": request["id"], "meter": meter, "ok": ok}), flush=True)
