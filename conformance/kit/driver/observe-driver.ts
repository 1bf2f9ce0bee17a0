// Starts a driver and passes every line between kit and driver to an observer.

import { DriverProcess } from "./process.ts";
import type { DriverCommand, OpenDriver } from "./types.ts";

/** Who said something. */
export type Speaker = "kit" | "drv";

/** The driver; the observer gets every line to and from it. */
export function observeDriver(command: DriverCommand, onLine: (who: Speaker, line: string) => void): OpenDriver {
  return (listener) => {
    const driver = new DriverProcess(command, {
      line(line) {
        onLine("drv", line);
        listener.line(line);
      },
      unreadable: (why, line) => listener.unreadable(why, line),
      exit: (exit) => listener.exit(exit),
    });
    return {
      get pid() {
        return driver.pid;
      },
      get stderr() {
        return driver.stderr;
      },
      get silence() {
        return driver.silence;
      },
      write(line) {
        onLine("kit", line);
        driver.write(line);
      },
      stop: () => driver.stop(),
      kill: () => driver.kill(),
    };
  };
}
