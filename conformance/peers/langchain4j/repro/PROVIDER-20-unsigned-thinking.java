// Thinking without a signature goes back as thinking, and the provider refuses it.
// Shows: PROVIDER-20
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/PROVIDER-20-unsigned-thinking.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "thinking", "thinking": "I think."}, {"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.has("\"thinking\""));
  }
}
