/** `/name` alone or before a space (`/home/dev/a.txt` is a path). The client sends an expanded command in `<command-…>` tags. */
export const SLASH_COMMAND = /^(?:\/[a-z][\w:.-]*(?:\s|$)|<command-(?:name|message|args)>)/i
