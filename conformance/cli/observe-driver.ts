// Starts a driver so that somebody hears what the kit and the driver say to each other.

import { DriverProcess } from "../kit/driver/process.ts";
import type { DriverCommand, OpenDriver } from "../kit/driver/types.ts";

/** Who said something. */
export type Speaker = "kit" | "drv";

/** The driver, every line of which, and every line to which, is told. */
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
