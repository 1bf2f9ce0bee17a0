// A stream that ends before its answer does is told as a whole answer, or never ends.
// Shows: LOOP-18, PROVIDER-22, CHAT-17
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-18-half-an-answer.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Half of an"}, "finish_reason": null}]}

        """);
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isUntold("the stream ended before its answer did"));
  }
}
