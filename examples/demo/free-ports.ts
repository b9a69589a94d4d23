/**
 * Somebody else's service on the port would answer as well as ours, and the demo would talk to a stranger. So the ports are tried
 * before anything is started. Answers a sentence for a person, or null.
 */
export const sentenceAboutTakenPort = async (ports: Record<string, number>) => {
  for (const [name, port] of Object.entries(ports)) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return `${name} must be a number from 1 to 65535.`
    try {
      await Bun.serve({ port, hostname: '0.0.0.0', fetch: () => new Response() }).stop(true)
    } catch {
      return `Port ${port} is in use. Stop the program that uses it, or set ${name} to another one.`
    }
  }
  return null
}
