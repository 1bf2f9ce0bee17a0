// Thinking goes back behind the text that followed it.
// Shows: LOOP-1
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-1-thinking-behind-its-text.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "thinking", "thinking": "I think.", "signature": "c2lnbmF0dXJl"}, {"type": "text", "text": "I look."}, {"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.");
    boolean isMoved = scene.last().contains("I think.") && scene.lacks("I think.", "I look.", "toolu_a") != null;
    scene.verdict(isMoved ? "thinking goes back behind the text that followed it: " + scene.last() : null);
  }
}
