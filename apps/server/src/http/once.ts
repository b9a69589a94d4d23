/** Makes a value on first use and keeps it. A null result is tried again. */
export const once = <Made>(make: () => Made) => {
  let made: Made | null = null
  return (): Made => {
    made ??= make()
    return made
  }
}
