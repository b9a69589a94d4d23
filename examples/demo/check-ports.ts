/**
 * Checks all ports before starting anything; otherwise the demo could talk to another service. Returns an error message or
 * null.
 */
export const findPortProblem = async (ports: Record<string, number>) => {
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
