// A response in which the model refuses is told as an answer like any other.
// Shows: CHAT-16, LOOP-14
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/CHAT-16-a-refusal-is-an-answer.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.answer("""
        {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "refusal": "I will not."}, "finish_reason": "stop", "logprobs": null}], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}""");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isUntold("the response refused"));
  }
}
