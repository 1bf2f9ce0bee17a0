// Two calls under one id, in one response, make the conversation unusable.
// Shows: SESSION-9, SESSION-6
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/SESSION-9-two-calls-with-one-id.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.answer("""
        {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "count", "arguments": "{\\"n\\": 1}"}}, {"id": "call_0", "type": "function", "function": {"name": "count", "arguments": "{\\"n\\": 2}"}}]}, "finish_reason": "tool_calls", "logprobs": null}], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}""");
    scene.tool("count", "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}", "counted");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isRefused("Go on."));
  }
}
