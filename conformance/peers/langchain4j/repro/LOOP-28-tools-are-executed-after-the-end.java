// Pieces of two calls that come in turns end the run in an error, and the tools are executed after it.
// Shows: LOOP-28
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-28-tools-are-executed-after-the-end.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "call_0", "type": "function", "function": {"name": "look", "arguments": ""}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 1, "id": "call_1", "type": "function", "function": {"name": "look", "arguments": ""}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{\\"at\\": 0}"}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 1, "function": {"arguments": "{\\"at\\": 1}"}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}

        data: [DONE]

        """);
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.", "And now?");
    scene.verdict(scene.endings.get(0).startsWith("error") && !scene.executed.isEmpty() ? "the caller was told " + scene.endings.get(0) + ", and then executed: " + scene.executed : null);
  }
}
