const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A code without a label of its own: "not_received" is "Not received". */
export const labelOfCode = (code: string) => capital(code.replaceAll('_', ' '))

/** A field without a label of its own: "sessionId" is "Session id". */
export const labelOfField = (name: string) => capital(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
