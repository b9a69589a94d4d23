import type { Plan } from './plans.ts'

export type Order = {
  /** Checkout session ID, or the shop's own invoice number. */
  id: string
  plan: Plan
  state: 'paid' | 'pending' | 'refunded'
}
export type Customer = { id: string; name: string; email: string; orders: Order[] }

/** In-memory customers. A real shop uses a database. */
export const createCustomers = () => {
  const customers = new Map<string, Customer>()
  const sessions = new Map<string, string>()
  return {
    signUp: ({ name, email }: Pick<Customer, 'name' | 'email'>) => {
      const isTaken = [...customers.values()].some((customer) => customer.email.toLowerCase() === email.toLowerCase())
      if (isTaken) return null
      const customer: Customer = { id: `user_${crypto.randomUUID()}`, name, email, orders: [] }
      customers.set(customer.id, customer)
      return customer
    },
    signIn: (customerId: string) => {
      const token = crypto.randomUUID()
      sessions.set(token, customerId)
      return token
    },
    signOut: (token: string) => void sessions.delete(token),
    bySession: (token: string | undefined) => customers.get(sessions.get(token ?? '') ?? '') ?? null,
    /** Idempotent, because customers reload the page. */
    saveOrder: (customer: Customer, order: Order) => {
      const known = customer.orders.find(({ id }) => id === order.id)
      if (known) known.state = order.state
      else customer.orders.unshift(order)
    },
    all: () => [...customers.values()],
  }
}

export type Customers = ReturnType<typeof createCustomers>
