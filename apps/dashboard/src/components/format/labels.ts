export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Fallback label of a code: "not_received" becomes "Not received". */
export const codeLabel = (code: string) => capitalize(code.replaceAll('_', ' '))

/** Fallback label of a field: "sessionId" becomes "Session id". */
export const fieldLabel = (name: string) => capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
