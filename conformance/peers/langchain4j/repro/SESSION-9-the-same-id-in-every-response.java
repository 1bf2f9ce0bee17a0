// A server that gives its calls the same id in every response makes the conversation unusable.
// Shows: SESSION-9
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/SESSION-9-the-same-id-in-every-response.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "tool_use", "id": "call_0", "name": "count", "input": {"n": 1}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "tool_use", "id": "call_0", "name": "count", "input": {"n": 2}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("count", "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}", "counted");
    scene.play(Agent::of, "Go on.", "And now?");
    scene.verdict(scene.isRefused("And now?"));
  }
}
