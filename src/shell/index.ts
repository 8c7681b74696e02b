// what a shell command does: the one entry of this room
