// Calls without ids get none, or the run fails.
// Shows: SESSION-10
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/SESSION-10-calls-without-ids.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [{"index": 0, "type": "function", "function": {"name": "look", "arguments": "{\\"at\\": 0}"}}, {"index": 1, "type": "function", "function": {"name": "look", "arguments": "{\\"at\\": 1}"}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}

        data: [DONE]

        """);
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.", "And now?");
    scene.verdict(scene.executed.size() < 2 ? "two calls without ids came; executed " + scene.executed + "; the caller was told " + scene.endings : scene.isRefused("And now?"));
  }
}
