export const ROOT = `${import.meta.dir}/..`

/** Starts a Bun program as a child. It exits when the channel closes, however we end. */
export const startProcess = (program: string, env: Record<string, string> = {}) => {
  const messages: unknown[] = []
  let deliver: ((message: unknown) => void) | null = null
  const child = Bun.spawn([process.execPath, program], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ipc: (message) => {
      if (deliver) deliver(message)
      else messages.push(message)
    },
  })
  const ended = child.exited.then((code): never => {
    throw new Error(`${program} ended with code ${code}`)
  })
  ended.catch(() => {}) // callers that await it see the error
  /** The program's next message; throws if it ends instead. */
  const nextMessage = <T>() => {
    const message = new Promise((resolve) => {
      if (messages.length > 0) return resolve(messages.shift())
      deliver = resolve
    }).finally(() => {
      deliver = null
    })
    return Promise.race([message, ended]) as Promise<T>
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return {
    pid: child.pid,
    output: child.stdout,
    ended,
    nextMessage,
    send: (message: unknown) => child.send(message),
    stop,
  }
}
export type Process = ReturnType<typeof startProcess>
