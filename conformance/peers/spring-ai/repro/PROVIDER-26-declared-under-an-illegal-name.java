// A tool whose name no provider takes is declared under it, and every request is refused.
// Shows: PROVIDER-26
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/PROVIDER-26-declared-under-an-illegal-name.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", false);
    scene.tool("calendar.read", "{\"type\":\"object\",\"properties\":{}}", "read");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.requests.get(0).get("tools").toString().contains("calendar.read") ? "declared as calendar.read, which the provider refuses" : null);
  }
}
