import { dlopen, ptr } from 'bun:ffi'
import { readdirSync } from 'node:fs'

/** From Linux' socket.h and filter.h, identical on x64 and arm64. */
const SOL_SOCKET = 1
const SO_ACCEPTCONN = 30
const SO_ATTACH_REUSEPORT_CBPF = 51
const RETURN_CONSTANT = 0x06

const LIBC = {
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
} as const

/**
 * Makes the kernel send all new connections of a shared port to one listener. A closing listener resets its unaccepted connections,
 * about one per restart under load, so new ones are sent elsewhere first. Positions count from 0 in the order of listening; an
 * unused position restores the default distribution.
 *
 * Returns whether it worked. Elsewhere (macOS, an unusual libc) a restart may drop a connection.
 */
export const steerConnections = (position: number): boolean => {
  if (process.platform !== 'linux') return false
  try {
    const { symbols: libc } = dlopen('libc.so.6', LIBC)
    const attach = (socket: number) => {
      // One instruction, "return the position": a `struct sock_filter` and the `struct sock_fprog` that points to it.
      const filter = new DataView(new ArrayBuffer(8))
      filter.setUint16(0, RETURN_CONSTANT, true)
      filter.setUint32(4, position >>> 0, true)
      const program = new DataView(new ArrayBuffer(16))
      program.setUint16(0, 1, true)
      program.setBigUint64(8, BigInt(ptr(filter.buffer)), true)
      return libc.setsockopt(socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program.buffer), 16) === 0
    }
    const isListening = (handle: number) => {
      const [value, size] = [new Int32Array(1), new Uint32Array([4])]
      return libc.getsockopt(handle, SOL_SOCKET, SO_ACCEPTCONN, ptr(value), ptr(size)) === 0 && value[0] === 1
    }
    // Bun does not expose its listening socket; a worker has only one.
    const socket = readdirSync('/proc/self/fd').map(Number).find(isListening)
    return socket !== undefined && attach(socket)
  } catch {
    return false
  }
}
