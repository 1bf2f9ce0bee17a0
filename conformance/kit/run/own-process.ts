// A process of the driver for one case alone, because the case ends it.

import { MortalDriver } from "../driver/mortal.ts";
import { DriverSession } from "../driver/session.ts";
import type { SessionListener } from "../driver/session.ts";
import type { DriverStart } from "../driver/types.ts";

/** A session with a driver whose process can be ended. */
export interface OwnProcess {
  session: DriverSession;
  process: { endProcess(): Promise<void> };
}

/**
 * Starts a driver for one case.
 * @throws StartError if it does not get there
 */
export async function startOwnProcess(
  command: DriverStart,
  startMs: number,
  listener: SessionListener,
): Promise<OwnProcess> {
  let process: MortalDriver | undefined;
  const session = await DriverSession.start(
    (received) => (process = new MortalDriver(command, received)),
    startMs,
    listener,
  );
  return { session, process: process! };
}
