; From the north-west to the south-east.
(define (problem courier)
  (:domain city)
  (:objects
    x0y0 x1y0 x2y0 x3y0 x4y0
    x0y1 x1y1 x2y1 x3y1 x4y1
    x0y2 x1y2 x2y2 x3y2 x4y2
    x0y3 x1y3 x2y3 x3y3 x4y3
    x0y4 x1y4 x2y4 x3y4 x4y4 - crossing
    car - car)
  (:init
    (at car x1y3)
    (street x0y0 x1y0) (street x0y0 x0y1)
    (street x1y0 x2y0) (street x1y0 x0y0) (street x1y0 x1y1)
    (street x2y0 x3y0) (street x2y0 x1y0) (street x2y0 x2y1)
    (street x3y0 x4y0) (street x3y0 x2y0) (street x3y0 x3y1)
    (street x4y0 x3y0) (street x4y0 x4y1)
    (street x0y1 x1y1) (street x0y1 x0y2) (street x0y1 x0y0)
    (street x1y1 x2y1) (street x1y1 x0y1) (street x1y1 x1y2) (street x1y1 x1y0)
    (street x2y1 x3y1) (street x2y1 x1y1) (street x2y1 x2y2) (street x2y1 x2y0)
    (street x3y1 x4y1) (street x3y1 x2y1) (street x3y1 x3y2) (street x3y1 x3y0)
    (street x4y1 x3y1) (street x4y1 x4y2) (street x4y1 x4y0)
    (street x0y2 x1y2) (street x0y2 x0y3) (street x0y2 x0y1)
    (street x1y2 x2y2) (street x1y2 x0y2) (street x1y2 x1y3) (street x1y2 x1y1)
    (street x2y2 x3y2) (street x2y2 x1y2) (street x2y2 x2y3) (street x2y2 x2y1)
    (street x3y2 x4y2) (street x3y2 x2y2) (street x3y2 x3y3) (street x3y2 x3y1)
    (street x4y2 x3y2) (street x4y2 x4y3) (street x4y2 x4y1)
    (street x0y3 x1y3) (street x0y3 x0y4) (street x0y3 x0y2)
    (street x1y3 x2y3) (street x1y3 x0y3) (street x1y3 x1y4) (street x1y3 x1y2)
    (street x2y3 x3y3) (street x2y3 x1y3) (street x2y3 x2y4) (street x2y3 x2y2)
    (street x3y3 x4y3) (street x3y3 x2y3) (street x3y3 x3y4) (street x3y3 x3y2)
    (street x4y3 x3y3) (street x4y3 x4y4) (street x4y3 x4y2)
    (street x0y4 x1y4) (street x0y4 x0y3)
    (street x1y4 x2y4) (street x1y4 x0y4) (street x1y4 x1y3)
    (street x2y4 x3y4) (street x2y4 x1y4) (street x2y4 x2y3)
    (street x3y4 x4y4) (street x3y4 x2y4) (street x3y4 x3y3)
    (street x4y4 x3y4) (street x4y4 x4y3))
  (:goal (at car x3y1)))
