// The least that can be written into each skeleton to make it a loop: asks the model, executes its calls, reports the session.

/** What is replaced in the skeleton, and by what. */
export interface FirstLoop {
  /** Program and arguments that say whether the language is on this machine. */
  probe: [string, ...string[]];
  file: string;
  changes: [from: RegExp, to: string][];
}

const reportsOnlySessions: [RegExp, string] = [/"session", "result"/, '"session"'];

export const firstLoops: Record<string, FirstLoop> = {
  python: {
    probe: ["python3", "--version"],
    file: "driver.py",
    changes: [
      reportsOnlySessions,
      [
        /    raise NotImplementedError\([^]*?\n    \)\n/,
        `    messages = params["session"]["messages"]
    while True:
        response = invoke_model({"messages": messages, "tools": params["agents"][params["agent"]]["tools"]})
        messages += response["messages"]
        calls = [message for message in response["messages"] if message.get("type") == "tool_call"]
        for call in calls:
            output = execute_tool({key: call[key] for key in ("id", "name", "input")})["output"]
            messages.append({"type": "tool_result", "id": call["id"], "output": output})
        if not calls:
            return {"session": params["session"]}
`,
      ],
    ],
  },
  typescript: {
    probe: [process.execPath, "--version"],
    file: "driver.ts",
    changes: [
      reportsOnlySessions,
      [
        /  throw new Error\([^]*?\n  \);\n/,
        `  const { session, agents, agent } = params;
  for (;;) {
    const response = await ports.invokeModel({ messages: session.messages, tools: agents[agent].tools });
    session.messages.push(...response["messages"]);
    const calls = response["messages"].filter((message: Json) => message["type"] === "tool_call");
    for (const { id, name, input } of calls) {
      const { output } = await ports.executeTool({ id, name, input });
      session.messages.push({ type: "tool_result", id, output });
    }
    if (calls.length === 0) return { session };
  }
`,
      ],
    ],
  },
  go: {
    probe: ["go", "version"],
    file: "main.go",
    changes: [
      reportsOnlySessions,
      [
        /\treturn nil, errors.New\("the loop[^]*?\)\n\}/,
        `	session, agent := params["session"].(object), params["agents"].(object)[params["agent"].(string)].(object)
	for {
		response, err := invokeModel(object{"messages": session["messages"], "tools": agent["tools"]})
		if err != nil {
			return nil, err
		}
		messages := append(session["messages"].([]any), response["messages"].([]any)...)
		calls := 0
		for _, message := range response["messages"].([]any) {
			if call := message.(object); call["type"] == "tool_call" {
				calls++
				result, err := executeTool(object{"id": call["id"], "name": call["name"], "input": call["input"]})
				if err != nil {
					return nil, err
				}
				messages = append(messages, object{"type": "tool_result", "id": call["id"], "output": result["output"]})
			}
		}
		session["messages"] = messages
		if calls == 0 {
			return object{"session": session}, nil
		}
	}
}`,
      ],
    ],
  },
  rust: {
    probe: ["cargo", "--version"],
    file: "src/main.rs",
    changes: [
      reportsOnlySessions,
      [/_params: &Value, _kit/, "params: &Value, kit"],
      [
        /    let message = "the loop[^]*?\n    Err\(.*\n/,
        `    let mut session = params["session"].clone();
    let tools = &params["agents"][params["agent"].as_str().unwrap_or("")]["tools"];
    loop {
        let response = kit.invoke_model(json!({"messages": session["messages"], "tools": tools}))?;
        let answered = response["messages"].as_array().cloned().unwrap_or_default();
        let mut added = answered.clone();
        for call in answered.iter().filter(|message| message["type"] == "tool_call") {
            let result = kit.execute_tool(json!({"id": call["id"], "name": call["name"], "input": call["input"]}))?;
            added.push(json!({"type": "tool_result", "id": call["id"], "output": result["output"]}));
        }
        let is_last = added.len() == answered.len();
        session["messages"].as_array_mut().expect("a session has messages").extend(added);
        if is_last {
            return Ok(json!({"session": session}));
        }
    }
`,
      ],
    ],
  },
};
