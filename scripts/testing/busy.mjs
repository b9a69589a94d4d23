import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Keeps every core busy with twice its work until stopped. */
export const keepBusy = () => {
  const burners = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(
      process.execPath,
      [
        '-e',
        'process.on("disconnect", () => process.exit()); setImmediate(function burn() { for (let i = 0; i < 1e7; i++); setImmediate(burn) })',
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    ),
  )
  const stop = () => {
    for (const burner of burners) burner.kill('SIGKILL')
  }
  return { stop }
}
