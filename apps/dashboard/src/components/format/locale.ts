/** Numbers, money and times follow the browser's language. */
export const locale = typeof navigator === 'undefined' ? 'en' : (navigator.languages?.[0] ?? 'en')
