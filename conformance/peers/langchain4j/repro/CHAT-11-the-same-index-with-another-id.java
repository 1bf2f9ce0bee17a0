// Two calls under one index, told apart by their ids, are executed as one, or not at all.
// Shows: CHAT-11
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/CHAT-11-the-same-index-with-another-id.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "call_a", "type": "function", "function": {"name": "look", "arguments": "{\\"at\\": \\"a\\"}"}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "call_b", "type": "function", "function": {"name": "look", "arguments": "{\\"at\\": \\"b\\"}"}}]}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}

        data: [DONE]

        """);
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isNotExecutedAs("look {\"at\":\"a\"}", "look {\"at\":\"b\"}"));
  }
}
