#!/bin/sh
# Makes the pictures of the README with the program itself. Run by `make pictures`.
set -eu
cd "$(dirname "$0")/.."
pyramids=.venv/bin/pyramids
settlers="2Y21y11/r12R12/1g22b11/g32y21R2/1g1r12B2/2b1g12 S 4"
homeworlds="<0>; South(0,b3y2)g3g1y1-; North(1,r3b1)-g3b2; Sirius(g2)y2-r1; Vega(y3)b1g1-; Deneb(r1)-y3g2"
$pyramids render "$settlers" --seed 5 --elevation 58 --south bottom --table oak --out docs/settlers.jpg
$pyramids score docs/settlers.jpg --began south --annotate docs/settlers_scored.jpg
$pyramids render "$homeworlds" --seed 8 --elevation 62 --south bottom --table linen --out docs/homeworlds.jpg
$pyramids read docs/homeworlds.jpg --game homeworlds --annotate docs/homeworlds_read.jpg
$pyramids draw "$homeworlds" --out docs/homeworlds.svg
rm docs/settlers.jpg docs/homeworlds.jpg
