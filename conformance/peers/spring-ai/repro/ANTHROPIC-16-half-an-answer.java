// A stream that ends before its answer does is told as a whole answer, or never ends.
// Shows: ANTHROPIC-16
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/ANTHROPIC-16-half-an-answer.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", true);
    scene.answer("""
        event: message_start
        data: {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [], "stop_reason": null, "usage": {"input_tokens": 5, "output_tokens": 5}}}

        event: content_block_start
        data: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}

        event: content_block_delta
        data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Half of an"}}

        event: content_block_stop
        data: {"type": "content_block_stop", "index": 0}

        """);
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isUntold("the stream ended before its answer did"));
  }
}
