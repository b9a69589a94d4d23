/** Numbers, money and times are written in the reader's own language. */
export const locale = typeof navigator === 'undefined' ? 'en' : (navigator.languages?.[0] ?? 'en')
