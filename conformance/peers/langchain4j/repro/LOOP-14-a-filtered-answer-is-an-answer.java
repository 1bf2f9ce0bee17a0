// A response that was refused is told as an answer like any other.
// Shows: LOOP-14
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-14-a-filtered-answer-is-an-answer.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "text", "text": "No."}], "stop_reason": "refusal", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isUntold("the response was refused"));
  }
}
