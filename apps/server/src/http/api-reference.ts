export const apiReference = (_: object) => '<h1>API</h1>'
