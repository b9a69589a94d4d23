const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of a moment in a time zone, as YYYY-MM-DD. */
export const dayIn = (timezone: string, at: Date): string => {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timezone, format)
  }
  return format.format(at)
}
