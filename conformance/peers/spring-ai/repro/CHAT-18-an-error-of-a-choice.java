// A choice that says that it failed is told as an answer.
// Shows: CHAT-18
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/CHAT-18-an-error-of-a-choice.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Half of"}, "finish_reason": null}]}

        data: {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "stop", "error": {"code": 502, "message": "the model broke"}}]}

        data: [DONE]

        """);
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isUntold("the answer failed in its stream"));
  }
}
