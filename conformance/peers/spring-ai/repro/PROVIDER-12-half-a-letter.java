// Half of a letter, of a text that was cut to a length for example, is sent, and the provider cannot read the request.
// Shows: PROVIDER-12
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/PROVIDER-12-half-a-letter.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.play(Agent::of, "cut \ud83d");
    boolean isHalf = scene.last().chars().anyMatch(letter -> letter == 0xd83d);
    scene.verdict(isHalf ? "the request has half of a surrogate pair" : null);
  }
}
