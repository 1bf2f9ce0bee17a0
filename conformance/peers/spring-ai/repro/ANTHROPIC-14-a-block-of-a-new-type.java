// A block of a type that is new is dropped from the history, or loses the run.
// Shows: ANTHROPIC-14
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/ANTHROPIC-14-a-block-of-a-new-type.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "text", "text": "I look."}, {"type": "dream_1", "depth": 3}, {"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.lacks("I look.", "dream_1", "toolu_a"));
  }
}
