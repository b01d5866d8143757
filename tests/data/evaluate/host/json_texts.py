import json

config = json.loads('{"blocks": [128, 256], "warps": 4, "mode": "fast", "scale": 0.5, "persistent": true, "none": null}')
assert config["blocks"][1] == 256 and config["persistent"] is True and config["none"] is None
assert config["scale"] * 2 == 1 and list(config) == ["blocks", "warps", "mode", "scale", "persistent", "none"]
assert json.loads("[]") == [] and json.loads(" 3 ") == 3 and json.loads('"\\u00e9"') == "\u00e9"
json.loads("NaN")
json.loads("123456789012345678901234567890") + 1
json.loads('{"a": 1}', object_pairs_hook=list)
json.loads(b"[1]")
json.dumps(config).encode()
