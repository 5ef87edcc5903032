"""From what the eyes see in single places to one table: camera, poses, sizes and colours that fit together."""
