"""A tool loop with nothing but Python's standard library: client.py URL…"""

import json
import sys
import urllib.error
import urllib.request

TOOLS = [{"type": "function", "function": {
    "name": "delete_task", "description": "Delete a task.",
    "parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}}]


def ask(url, messages, stream):
    body = json.dumps({"model": "sim", "messages": messages, "tools": TOOLS, "stream": stream}).encode()
    request = urllib.request.Request(url + "/v1/chat/completions", body, {
        "Content-Type": "application/json", "Authorization": "Bearer sk-test-0123456789abcdef0123456789abcdef"})
    with urllib.request.urlopen(request, timeout=30) as response:
        if not stream:
            return json.load(response)["choices"][0]["message"]
        said = {"role": "assistant", "content": "", "tool_calls": []}
        for line in response:
            if not line.startswith(b"data: ") or line.strip() == b"data: [DONE]":
                continue
            for choice in json.loads(line[6:])["choices"]:
                delta = choice["delta"]
                said["content"] += delta.get("content") or ""
                for piece in delta.get("tool_calls") or []:
                    if piece["index"] == len(said["tool_calls"]):
                        said["tool_calls"].append({"id": piece["id"], "type": "function", "function": {"name": "", "arguments": ""}})
                    call = said["tool_calls"][piece["index"]]["function"]
                    call["name"] += piece["function"].get("name") or ""
                    call["arguments"] += piece["function"].get("arguments") or ""
        return said


def loop(url, stream, ran):
    messages = [{"role": "user", "content": "delete Read book"}]
    while True:
        said = ask(url, messages, stream)
        if not said.get("tool_calls"):
            return said["content"]
        messages.append(said)
        for call in said["tool_calls"]:
            ran.append(json.loads(call["function"]["arguments"])["title"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps({"success": True})})


for url in sys.argv[1:]:
    for stream in (False, True):
        line = {"url": url, "stream": stream, "ran": [], "text": "", "error": ""}
        try:
            line["text"] = loop(url, stream, line["ran"])
        except urllib.error.HTTPError as error:
            line["error"] = error.read().decode()
        print(json.dumps(line), flush=True)
