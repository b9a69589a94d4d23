export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Stops nginx from buffering the stream.
  'x-accel-buffering': 'no',
}
