const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Fallback label of a code: "not_received" becomes "Not received". */
export const codeLabel = (code: string) => capital(code.replaceAll('_', ' '))

/** Fallback label of a field: "sessionId" becomes "Session id". */
export const fieldLabel = (name: string) => capital(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
