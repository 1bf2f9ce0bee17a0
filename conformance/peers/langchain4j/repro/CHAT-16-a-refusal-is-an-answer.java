// A response in which the model refuses is told as an answer like any other.
// Shows: CHAT-16
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/CHAT-16-a-refusal-is-an-answer.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": null, "refusal": "I will not."}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}

        data: {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}

        data: [DONE]

        """);
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isUntold("the response refused"));
  }
}
