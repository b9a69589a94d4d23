/** Made when it is first asked for, and kept; what is not there yet is looked for again. */
export const once = <Made>(make: () => Made) => {
  let made: Made | null = null
  return (): Made => {
    made ??= make()
    return made
  }
}
