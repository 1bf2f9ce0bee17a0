// A call of a response that the token limit cut off is executed.
// Shows: LOOP-9
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-9-a-call-beside-the-token-limit.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.answer("""
        {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "delete_files", "arguments": "{\\"path\\": \\"/etc\\"}"}}]}, "finish_reason": "length", "logprobs": null}], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}""");
    scene.tool("delete_files", "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}", "deleted");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isExecuted("although the response was cut off"));
  }
}
