// Arguments that break the schema, with which the tool was declared, are executed.
// Shows: TOOL-5
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/TOOL-5-arguments-break-the-schema.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.answer("""
        {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "delete_files", "arguments": "{\\"count\\": 1}"}}]}, "finish_reason": "tool_calls", "logprobs": null}], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}""");
    scene.tool("delete_files", "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}", "deleted");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isExecuted("but its schema requires path, and has no count"));
  }
}
