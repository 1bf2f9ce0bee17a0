// A right call is not executed because the one beside it names no tool.
// Shows: TOOL-11
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/TOOL-11-an-unknown-tool-beside-it.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.answer("""
        {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "nobody", "arguments": "{}"}}, {"id": "c2", "type": "function", "function": {"name": "note", "arguments": "{}"}}]}, "finish_reason": "tool_calls", "logprobs": null}], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}""");
    scene.tool("note", "{\"type\":\"object\",\"properties\":{}}", "noted");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isNotExecutedAs("note {}"));
  }
}
