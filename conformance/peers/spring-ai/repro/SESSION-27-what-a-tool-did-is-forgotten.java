// What a tool has done is not kept: the request with the next message has neither the call nor its result.
// Shows: SESSION-27
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/SESSION-27-what-a-tool-did-is-forgotten.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.answer("""
        {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "buy", "arguments": "{}"}}]}, "finish_reason": "tool_calls", "logprobs": null}], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}""");
    scene.tool("buy", "{\"type\":\"object\",\"properties\":{}}", "bought for 100");
    scene.play(Agent::of, "Go on.", "And now?");
    scene.verdict(scene.lacks("bought for 100", "And now?"));
  }
}
