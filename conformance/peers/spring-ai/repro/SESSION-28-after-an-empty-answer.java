// An answer with nothing in it goes back as an empty message, and the provider refuses the next message.
// Shows: SESSION-28
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/SESSION-28-after-an-empty-answer.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", true);
    scene.answer("""
        event: message_start
        data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}

        event: message_stop
        data: {"type":"message_stop"}

        """);
    scene.play(Agent::of, "Go on.", "And now?");
    scene.verdict(scene.isRefused("And now?"));
  }
}
