#!/bin/sh
# A naive agent loop in the shell: curl and the JSON of node. Nothing is checked, nothing is kept.
set -u
tools='[{"type":"function","function":{"name":"run_shell_command","description":"Runs a command.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}}]'
field() { node -e 'const v = JSON.parse(require("fs").readFileSync(0, "utf8")); const r = eval("v" + process.argv[1]); process.stdout.write(typeof r === "string" ? r : JSON.stringify(r) ?? "")' "$1"; }
messages=$(node -e 'console.log(JSON.stringify([{ role: "user", content: process.argv[1] }]))' "$1")
while :; do
  answer=$(curl -s "$OPENAI_BASE_URL/chat/completions" -H "authorization: Bearer $OPENAI_API_KEY" -H 'content-type: application/json' \
    -d "{\"model\":\"probe-model\",\"tools\":$tools,\"messages\":$messages}")
  message=$(printf '%s' "$answer" | field '.choices[0].message')
  command=$(printf '%s' "$message" | field '.tool_calls?.[0] ? JSON.parse(v.tool_calls[0].function.arguments).command : ""')
  if [ -z "$command" ]; then
    printf '%s' "$message" | field '.content ?? ""'
    exit 0
  fi
  output=$(sh -c "$command" 2>&1)
  messages=$(MESSAGE=$message OUTPUT=$output node -e '
    const message = JSON.parse(process.env.MESSAGE);
    const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: process.env.OUTPUT };
    console.log(JSON.stringify([...JSON.parse(process.argv[1]), message, result]));' "$messages")
done
