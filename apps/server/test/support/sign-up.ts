import { unique } from './given.ts'
import type { TestService } from './service.ts'

export const account = () => ({
  name: 'Sam Reed',
  email: `${unique('person')}@example.com`,
  password: 'a long password',
})

export const signUp = ({ call }: TestService, more: object = {}) =>
  call('POST', '/api/auth/sign-up/email', { ...account(), ...more })
